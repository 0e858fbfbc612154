// A small web application: a list of notes, rendered on the server, with a JSON
// interface beside it. `npm start` serves it; `node index.js --once` starts it
// on a free port, asks it three things, prints the answers and ends.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import chalk from 'chalk'
import compression from 'compression'
import cors from 'cors'
import dayjs from 'dayjs'
import express from 'express'
import helmet from 'helmet'
import morgan from 'morgan'
import { nanoid } from 'nanoid'
import { z } from 'zod'

const once = process.argv.includes('--once')
const Note = z.object({ text: z.string().trim().min(1).max(500) })
const notes = [{ id: nanoid(8), text: 'Woven by weft', at: dayjs() }]

const app = express()
app.set('view engine', 'ejs')
app.set('views', join(dirname(fileURLToPath(import.meta.url)), 'views'))
app.use(helmet(), compression(), express.json())
if (!once) app.use(morgan('tiny'))

app.get('/', (req, res) => {
  res.render('index', { notes, format: at => at.format('YYYY-MM-DD HH:mm') })
})
app.get('/api/notes', cors(), (req, res) => {
  res.json(notes)
})
app.post('/api/notes', cors(), (req, res) => {
  const note = Note.safeParse(req.body)
  if (!note.success) return res.status(400).json({ error: z.prettifyError(note.error) })
  notes.push({ id: nanoid(8), ...note.data, at: dayjs() })
  res.status(201).json(notes.at(-1))
})

const server = app.listen(once ? 0 : process.env.PORT || 3000, '127.0.0.1', async error => {
  if (error) throw error
  const base = `http://127.0.0.1:${server.address().port}`
  console.log(`listening on ${chalk.cyan(base)}`)
  if (once) {
    await visit(base)
    server.close()
  }
})

async function visit (base) {
  const post = body => fetch(base + '/api/notes', {
    method: 'POST', headers: { 'content-type': 'application/json', connection: 'close' }, body: JSON.stringify(body)
  })
  const page = await fetch(base, { headers: { connection: 'close' } })
  console.log('page:', page.status, (await page.text()).match(/<li>(.*?)<\/li>/)[1])
  const created = await post({ text: ' hello ' })
  console.log('created:', created.status, (await created.json()).text)
  const refused = await post({ text: '' })
  console.log('refused:', refused.status, (await refused.json()).error)
}
