// SPDX-License-Identifier: MIT

// Two goroutines add one to a value in a cache. Each access is locked, the addition is not.
package main

import (
	"os"
	"sync"
)

type cache struct {
	lock   sync.Mutex
	values map[string]int
}

func (c *cache) get(key string) int {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.values[key]
}

func (c *cache) set(key string, value int) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.values[key] = value
}

func main() {
	c := &cache{values: map[string]int{}}
	var done sync.WaitGroup
	for i := 0; i < 2; i++ {
		done.Add(1)
		go func() { defer done.Done(); c.set("n", c.get("n")+1) }()
	}
	done.Wait()
	if c.get("n") != 2 {
		os.Stderr.WriteString("an update was lost\n")
		os.Exit(1)
	}
}
