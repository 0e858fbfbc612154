package report

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"syscall"

	"weft/npm/registry"
)

// remoteProblem has words for what goes wrong between here and the registry.
func remoteProblem(err, outer error) *Problem {
	switch e := err.(type) {
	case *registry.StatusError:
		return statusProblem(e)
	case *registry.NetworkError:
		return networkProblem(e)
	case *registry.DocumentError:
		return &Problem{
			Code: CodeRegistry, Exit: ExitNetwork, Err: err, What: "the registry's answer is no package metadata", Why: err.Error(),
			Hint: "open the address in a browser: a proxy or a sign-in page may stand in between",
		}
	case *registry.RedirectError:
		return &Problem{
			Code: CodeRegistry, Exit: ExitNetwork, Err: err, What: "the registry sends elsewhere, and weft does not go there", Why: err.Error(),
			Hint: "set registry to where the packages are",
		}
	case *registry.LimitError:
		return &Problem{
			Code: CodeRegistry, Exit: ExitFailure, Err: err, What: "the registry sends more than a package can be", Why: err.Error(),
			Hint: "look at what that address serves",
		}
	}
	switch err {
	case registry.ErrOffline:
		return &Problem{
			Code: CodeOffline, Exit: ExitNetwork, Err: err, What: "the network may not be used, and the cache has not got it", Why: outer.Error(),
			Hint: "run once without --offline",
		}
	case registry.ErrName:
		return &Problem{
			Code: CodeSpec, Exit: ExitFailure, Err: err, What: "that cannot be the name of a package", Why: outer.Error(),
			Hint: "mend the name in package.json",
		}
	}
	return nil
}

func statusProblem(e *registry.StatusError) *Problem {
	p := &Problem{Err: e, Why: e.Error(), Code: CodeRegistry, Exit: ExitNetwork}
	switch {
	case e.Status == http.StatusNotFound:
		p.Code, p.Exit, p.What = CodeNotFound, ExitFailure, "the registry has no such package"
		p.Hint = "look for a typing error in the name"
		if !e.Authorized {
			p.Hint += "; a private package is only shown to those who have a token for its registry in .npmrc"
		}
	case e.Status == http.StatusUnauthorized && !e.Authorized:
		p.Code, p.Exit, p.What = CodeAuth, ExitFailure, "the registry wants to know who asks"
		p.Hint = "put a token for it into ~/.npmrc: //HOST/:_authToken=..."
	case e.Status == http.StatusUnauthorized:
		p.Code, p.Exit, p.What = CodeAuth, ExitFailure, "the registry does not accept the token"
		p.Hint = "the token in .npmrc has run out or is of another registry; get a new one"
	case e.Status == http.StatusForbidden:
		p.Code, p.Exit, p.What = CodeAuth, ExitFailure, "the registry does not let you have this package"
		p.Hint = "ask the package's owner for access"
		if !e.Authorized {
			p.Hint = "put a token for it into ~/.npmrc: //HOST/:_authToken=..."
		}
	case e.Status == http.StatusProxyAuthRequired:
		p.Code, p.Exit, p.What = CodeAuth, ExitFailure, "the proxy wants a name and a password"
		p.Hint = "write them into the proxy setting: http://NAME:PASSWORD@HOST:PORT"
	case e.Status == http.StatusTooManyRequests:
		p.What = "the registry is asked too often"
		p.Hint = "wait a while; maxsockets makes weft ask for less at once"
		if e.RetryAfter > 0 {
			p.Hint = fmt.Sprintf("it asks to wait %s; maxsockets makes weft ask for less at once", span(e.RetryAfter))
		}
	case e.Status >= 500:
		p.What = "the registry fails"
		p.Hint = "try again later"
	default:
		p.What = "the registry refuses"
		p.Hint = "check the registry's address: `npm config get registry`"
	}
	if e.Elsewhere != "" && p.Code == CodeAuth {
		p.Hint = "there are credentials for this scope at " + e.Elsewhere + ": set @SCOPE:registry to it"
	}
	return p
}

func networkProblem(e *registry.NetworkError) *Problem {
	p := &Problem{Code: CodeNetwork, Exit: ExitNetwork, Err: e, Why: e.Error(), What: "the registry cannot be reached",
		Hint: "check the connection, and the settings registry, proxy and https-proxy"}
	var (
		dns     *net.DNSError
		unknown x509.UnknownAuthorityError
		name    x509.HostnameError
		invalid x509.CertificateInvalidError
		record  tls.RecordHeaderError
		address *url.Error
	)
	switch {
	case errors.Is(e, registry.ErrStalled):
		p.What, p.Hint = "the registry fell silent", "try again; fetch-timeout says for how many milliseconds to wait"
	case errors.As(e, &dns):
		p.What, p.Hint = "the host "+dns.Name+" is not known", "check the registry setting, and whether names can be looked up at all"
	case errors.As(e, &unknown), errors.As(e, &name), errors.As(e, &invalid):
		p.What, p.Hint = "the registry's certificate is not to be trusted", "if a company's proxy signs it, name its certificate with cafile"
	case errors.As(e, &record):
		p.What, p.Hint = "the registry does not speak TLS there", "an http registry or proxy may be written as https"
	case errors.Is(e, syscall.ECONNREFUSED):
		p.What, p.Hint = "nobody answers at the registry's address", "check the registry setting; is the registry running?"
	case errors.As(e, &address) && address.Timeout():
		p.What = "the registry took too long to answer"
	}
	return p
}
