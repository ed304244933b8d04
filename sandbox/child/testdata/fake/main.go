// Command fake is mcbk in the child runner's tests.
package main

import (
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

func main() {
	fmt.Println("environment:", strings.Join(os.Environ(), " "))
	switch os.Getenv("FAKE") {
	case "crash":
		fmt.Fprint(os.Stderr, "no database")
		os.Exit(3)
	case "stubborn":
		signal.Ignore(syscall.SIGTERM)
	default:
		c := make(chan os.Signal, 1)
		signal.Notify(c, syscall.SIGTERM)
		go func() {
			<-c
			fmt.Println("goodbye")
			os.Exit(0)
		}()
	}
	http.HandleFunc("/health/ready", func(http.ResponseWriter, *http.Request) {})
	http.HandleFunc("/crash", func(http.ResponseWriter, *http.Request) { os.Exit(7) })
	fmt.Println(http.ListenAndServe(os.Getenv("LISTEN"), nil))
}
