package install

import (
	"os/user"
	"path/filepath"
	"testing"

	"weft/npm/npmrc"
)

func TestFoldersAreTheUsersOwn(t *testing.T) {
	me, err := user.Current()
	if err != nil {
		t.Skip(err)
	}
	rows := []struct {
		name         string
		env          []string
		o            Options
		store, cache string
	}{
		{name: "home", env: []string{"HOME=/h"}, store: "/h/.local/share/weft/store", cache: "/h/.cache/weft"},
		{name: "no home", store: me.HomeDir + "/.local/share/weft/store", cache: me.HomeDir + "/.cache/weft"},
		{name: "relative", env: []string{"HOME=h", "XDG_DATA_HOME=d", "XDG_CACHE_HOME=c"}, store: me.HomeDir + "/.local/share/weft/store", cache: me.HomeDir + "/.cache/weft"},
		{name: "xdg", env: []string{"HOME=/h", "XDG_DATA_HOME=/d", "XDG_CACHE_HOME=/c"}, store: "/d/weft/store", cache: "/c/weft"},
		{name: "npm's cache", env: []string{"HOME=/h", "npm_config_cache=/n"}, store: "/h/.local/share/weft/store", cache: "/n/_weft"},
		{name: "settings", env: []string{"HOME=/h", "npm_config_store_dir=/s"}, store: "/s", cache: "/h/.cache/weft"},
		{name: "options", env: []string{"HOME=/h", "npm_config_store_dir=/s"}, o: Options{StoreDir: "/x", CacheDir: "/y"}, store: "/x", cache: "/y"},
	}
	for _, row := range rows {
		row.o.Env = row.env
		c, err := npmrc.Load(npmrc.Options{Dir: t.TempDir(), Env: row.env, GlobalPrefix: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		got, err := findFolders(row.o, c)
		if err != nil || filepath.ToSlash(got.store) != row.store || filepath.ToSlash(got.cache) != row.cache {
			t.Errorf("%s: %+v, %v, want %s and %s", row.name, got, err, row.store, row.cache)
		}
	}
}

func TestSettingsThatCannotWork(t *testing.T) {
	rows := []struct {
		env  string
		want bool // an error
	}{
		{"npm_config_registry=http://127.0.0.1:4873/", false},
		{"npm_config_registry=not an address", true},
		{"npm_config_registry=ftp://127.0.0.1/", true},
		{"npm_config_registry=::::", true},
		{"npm_config_@scope:registry=file:///x", false},
		{"npm_config_omit=dev", false},
		{"npm_config_omit=everything", true},
	}
	for _, row := range rows {
		c, err := npmrc.Load(npmrc.Options{Dir: t.TempDir(), Home: t.TempDir(), Env: []string{row.env}, GlobalPrefix: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		if err := checkSettings(c); (err != nil) != row.want {
			t.Errorf("%s: %v", row.env, err)
		}
	}
}
