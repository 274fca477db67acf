// SPDX-License-Identifier: MIT

// A server of net/http with its clients, UDP, and with an argument the interfaces.
package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

func listInterfaces() {
	interfaces, err := net.Interfaces()
	if err != nil {
		panic(err)
	}
	for _, i := range interfaces {
		addresses, err := i.Addrs()
		fmt.Println(i.Index, i.Name, i.MTU, i.HardwareAddr, i.Flags, addresses, err)
	}
}

func main() {
	if len(os.Args) > 1 {
		listInterfaces()
		return
	}
	gone := make(chan struct{})
	mux := http.NewServeMux()
	mux.HandleFunc("/count", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %s %d", r.Method, r.URL.Query().Get("n"), len(body))
	})
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		<-r.Context().Done()
		close(gone)
	})
	listener, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		panic(err)
	}
	server := &http.Server{Handler: mux}
	go server.Serve(listener)
	base := "http://" + listener.Addr().String()
	answers := make([]string, 20)
	var group sync.WaitGroup
	for i := range answers {
		group.Add(1)
		go func(i int) {
			defer group.Done()
			r, err := http.Post(fmt.Sprintf("%s/count?n=%d", base, i), "text/plain", strings.NewReader(strings.Repeat("x", i*5000)))
			if err != nil {
				answers[i] = err.Error()
				return
			}
			defer r.Body.Close()
			b, _ := io.ReadAll(r.Body)
			answers[i] = string(b)
		}(i)
	}
	group.Wait()
	fmt.Println(strings.Join(answers, "\n"))
	client := http.Client{Timeout: 50 * time.Millisecond}
	_, err = client.Get(base + "/slow")
	e, _ := err.(net.Error)
	fmt.Println(e.Timeout())
	<-gone // the server has seen that the client has closed the connection
	_, err = net.Dial("tcp", "127.0.0.1:1")
	fmt.Println(err)
	pc, _ := net.ListenPacket("udp", "[::1]:0")
	u, _ := net.Dial("udp", pc.LocalAddr().String())
	u.Write([]byte("datagram"))
	b := make([]byte, 100)
	n, from, _ := pc.ReadFrom(b)
	fmt.Println(string(b[:n]), from.String() == u.LocalAddr().String())
	server.Close()
	_, err = http.Get(base)
	fmt.Println(err != nil)
}
