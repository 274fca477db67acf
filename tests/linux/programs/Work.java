/* SPDX-License-Identifier: MIT */
/* Threads, collectors and compilers of a Java machine. What has an argument is not the same natively. */
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

public class Work {
	private static int fib(int n) {
		return n < 2 ? n : fib(n - 1) + fib(n - 2);
	}

	private static int deep(int n) {
		return deep(n + 1) + 1;
	}

	private static void pool() throws Exception {
		ExecutorService pool = Executors.newFixedThreadPool(4);
		List<Future<Long>> futures = new ArrayList<>();
		for (int t = 0; t < 8; t++) {
			final int n = 20 + t % 3;
			futures.add(pool.submit(() -> {
				long sum = 0;
				for (int i = 0; i < 20; i++)
					sum += fib(n);
				return sum;
			}));
		}
		long sum = 0;
		for (Future<Long> future : futures)
			sum += future.get();
		System.out.println("sum " + sum);
		pool.shutdown();
		System.out.println(pool.awaitTermination(5, TimeUnit.SECONDS));
	}

	private static void locks() throws Exception {
		AtomicInteger atomic = new AtomicInteger();
		int[] locked = {0};
		Thread[] threads = new Thread[5];
		for (int i = 0; i < threads.length; i++) {
			threads[i] = new Thread(() -> {
				for (int j = 0; j < 20000; j++) {
					atomic.incrementAndGet();
					synchronized (locked) {
						locked[0]++;
					}
				}
			});
			threads[i].start();
		}
		for (Thread thread : threads)
			thread.join();
		System.out.println(atomic + " " + locked[0]);
	}

	/* One waits in a loop for another: only when it is compiled it gives way. */
	private static volatile boolean told;

	private static void spin() throws Exception {
		Thread thread = new Thread(() -> {
			while (!told)
				Thread.onSpinWait();
		});
		thread.start();
		Thread.sleep(1);
		told = true;
		thread.join();
		System.out.println("spun");
	}

	/* What the machine makes of faults, of memory and of its stack. */
	private static void faults() {
		for (int i = 0; i < 20000; i++)
			try {
				Object none = i % 2 == 0 ? null : "x";
				none.toString();
			} catch (NullPointerException e) {
				if (i == 0)
					System.out.println("null");
			}
		try {
			System.out.println(1 / (int) (Math.sqrt(2) - 1));
		} catch (ArithmeticException e) {
			System.out.println(e.getMessage());
		}
		try {
			deep(0);
		} catch (StackOverflowError e) {
			System.out.println("deep");
		}
		try {
			System.out.println(new long[1 << 30].length);
		} catch (OutOfMemoryError e) {
			System.out.println("no memory");
		}
	}

	private static void library() throws Exception {
		Map<String, Integer> map = new ConcurrentHashMap<>();
		IntStream.range(0, 50000).parallel().forEach(i -> map.merge(Integer.toString(i % 997, 36), 1, Integer::sum));
		System.out.println(map.size() + " " + map.values().stream().mapToInt(x -> x).sum());
		StringBuilder text = new StringBuilder();
		for (int i = 0; i < 3000; i++)
			text.append(String.format("%04x", i * i & 0xffff));
		System.out.println(text.toString().hashCode());
		byte[][] kept = new byte[64][];
		for (int i = 0; i < 2000; i++)
			kept[i % 64] = new byte[100000];
		System.gc();
		System.out.println(Math.sin(1.5) + " " + Math.pow(2.5, 3.5) + " " + Math.exp(1.1));
		System.out.println(CompletableFuture.supplyAsync(() -> "a").thenApply(x -> x + "b").get());
	}

	public static void main(String[] args) throws Exception {
		if (args.length > 0) {
			System.out.println(new Object().hashCode() + " " + System.identityHashCode(args));
			System.out.println(UUID.randomUUID());
			return;
		}
		pool();
		locks();
		spin();
		faults();
		library();
	}
}
