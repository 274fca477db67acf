// SPDX-License-Identifier: MIT

// Go's run time: goroutines on several threads, channels, select, timers, locks, the garbage collector, maps, panics,
// signals, files, child processes and reflection.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

type node struct {
	left, right *node
	payload     [4]int
}

func tree(depth int) *node {
	if depth == 0 {
		return &node{}
	}
	return &node{left: tree(depth - 1), right: tree(depth - 1)}
}

func (n *node) count() int {
	if n == nil {
		return 0
	}
	return 1 + n.left.count() + n.right.count()
}

func goroutines() {
	primes := make(chan int)
	go func() {
		for i := 2; ; i++ {
			primes <- i
		}
	}()
	source := primes
	for i := 0; i < 40; i++ {
		prime := <-source
		if i == 39 {
			fmt.Println("prime", prime)
		}
		filtered := make(chan int)
		go func(in, out chan int) {
			for {
				if n := <-in; n%prime != 0 {
					out <- n
				}
			}
		}(source, filtered)
		source = filtered
	}

	var group sync.WaitGroup
	var lock sync.Mutex
	var count int64
	total := 0
	for i := 0; i < 1000; i++ {
		group.Add(1)
		go func(i int) {
			defer group.Done()
			runtime.Gosched()
			atomic.AddInt64(&count, 1)
			lock.Lock()
			total += i
			lock.Unlock()
		}(i)
	}
	group.Wait()
	fmt.Println(count, total)

	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	ticks := 0
	ticker := time.NewTicker(3 * time.Millisecond)
	for done := false; !done; {
		select {
		case <-ticker.C:
			ticks++
		case <-ctx.Done():
			done = true
		}
	}
	ticker.Stop()
	fmt.Println(ctx.Err(), ticks > 0)
	var once sync.Once
	for i := 0; i < 3; i++ {
		once.Do(func() { fmt.Println("once") })
	}
}

func collector() {
	debug.SetGCPercent(20)
	kept := tree(12)
	finalized := make(chan bool, 1)
	object := &node{}
	runtime.SetFinalizer(object, func(*node) { finalized <- true })
	object = nil
	var group sync.WaitGroup
	for i := 0; i < 4; i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for k := 0; k < 8; k++ {
				if tree(10).count() != 2047 {
					panic("a tree is damaged")
				}
			}
		}()
	}
	group.Wait()
	runtime.GC()
	select {
	case <-finalized:
		fmt.Println("finalized")
	case <-time.After(10 * time.Second):
		fmt.Println("not finalized")
	}
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	fmt.Println(kept.count(), stats.NumGC > 3)
	debug.FreeOSMemory()
}

func caught(what string, f func()) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Println(what, r)
		}
	}()
	f()
}

func panics() {
	var nowhere *node
	var none map[string]int
	zero := len(none)
	caught("nil", func() { fmt.Println(nowhere.left) })
	caught("divide", func() { fmt.Println(1 / zero) })
	caught("index", func() { fmt.Println(os.Args[zero+100]) })
	caught("map", func() { none["a"] = 1 })
	caught("type", func() { fmt.Println(interface{}(1).(string)) })
	caught("channel", func() { c := make(chan int); close(c); close(c) })
	depth := 0
	var down func(int) int
	down = func(n int) int {
		depth++
		var space [64]int
		if n == 0 {
			return space[depth%64]
		}
		return down(n-1) + space[n%64]
	}
	fmt.Println("deep", down(20000), depth)
}

func signals() {
	received := make(chan os.Signal, 1)
	signal.Notify(received, syscall.SIGUSR1)
	syscall.Kill(syscall.Getpid(), syscall.SIGUSR1)
	fmt.Println(<-received)
}

func system() error {
	sorter := exec.Command("sort", "-r")
	sorter.Stdin = strings.NewReader("one\ntwo\nthree\n")
	output, err := sorter.Output()
	fmt.Printf("%q %v\n", output, err)
	fmt.Println(exec.Command("sh", "-c", "kill -9 $$").Run(), exec.Command("sh", "-c", "exit 4").Run())
	_, err = exec.LookPath("nothing-of-this-name")
	fmt.Println(errors.Is(err, exec.ErrNotFound))

	if err := os.MkdirAll("tree/deep", 0o755); err != nil {
		return err
	}
	if err := os.WriteFile("tree/deep/file", bytes.Repeat([]byte("line\n"), 100), 0o644); err != nil {
		return err
	}
	file, err := os.Open("tree/deep/file")
	if err != nil {
		return err
	}
	lines := 0
	for scanner := bufio.NewScanner(file); scanner.Scan(); {
		lines++
	}
	file.Close()
	filepath.Walk("tree", func(path string, info os.FileInfo, err error) error {
		fmt.Print(path, " ", info.IsDir(), " ")
		return err
	})
	_, err = os.ReadFile("tree/none")
	fmt.Println(lines, err, os.RemoveAll("tree"))

	listener, err := net.Listen("unix", "socket")
	if err != nil {
		return err
	}
	go func() {
		if connection, err := listener.Accept(); err == nil {
			fmt.Fprintf(connection, "hello by a socket\n")
			connection.Close()
		}
	}()
	connection, err := net.Dial("unix", "socket")
	if err != nil {
		return err
	}
	text, err := bufio.NewReader(connection).ReadString('\n')
	fmt.Printf("%q %v\n", text, err)
	listener.Close()
	read, write, _ := os.Pipe()
	go func() { time.Sleep(time.Millisecond); write.Close() }()
	n, err := read.Read(make([]byte, 10))
	fmt.Println(n, err)
	return nil
}

func main() {
	if len(os.Args) > 1 {
		numbers := map[int]int{}
		for i := 0; i < 50; i++ {
			numbers[i] = i
		}
		for i := range numbers {
			fmt.Print(i, " ")
		}
		fmt.Println()
		return
	}
	goroutines()
	collector()
	panics()
	signals()
	if err := system(); err != nil {
		fmt.Println(err)
	}
	text, _ := json.Marshal(map[string]interface{}{"b": 1.5, "a": []int{1, 2}})
	words := strings.Fields("the quick brown fox")
	sort.Strings(words)
	fmt.Println(string(text), words, new(big.Int).Exp(big.NewInt(7), big.NewInt(100), nil))
	fmt.Println(time.Unix(1e9, 0).UTC(), runtime.GOOS, runtime.NumGoroutine() > 1)
	os.Exit(6)
}
