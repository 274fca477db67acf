// SPDX-License-Identifier: MIT
// HttpServer and HttpClient in one process, and datagrams; with an argument only the interfaces.
import com.sun.net.httpserver.*;
import java.net.*;
import java.net.http.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.stream.IntStream;

public class Http {
	static void listInterfaces() throws Exception {
		for (NetworkInterface i : Collections.list(NetworkInterface.getNetworkInterfaces()))
			System.out.println(i.getIndex() + " " + i.getName() + " " + i.getMTU() + " " + i.isUp() + " " + i.isLoopback() + " "
				+ i.getInterfaceAddresses() + " " + Arrays.toString(i.getHardwareAddress()));
	}

	public static void main(String[] arguments) throws Exception {
		if (arguments.length > 0) {
			listInterfaces();
			return;
		}
		HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		server.createContext("/", exchange -> {
			byte[] body = exchange.getRequestBody().readAllBytes();
			byte[] answer = (exchange.getRequestMethod() + exchange.getRequestURI() + " " + body.length).getBytes();
			exchange.sendResponseHeaders(200, answer.length);
			exchange.getResponseBody().write(answer);
			exchange.close();
		});
		ExecutorService pool = Executors.newFixedThreadPool(4);
		server.setExecutor(pool);
		server.start();
		String at = "http://127.0.0.1:" + server.getAddress().getPort() + "/";
		HttpClient client = HttpClient.newHttpClient();
		List<CompletableFuture<String>> answers = IntStream.range(0, 12).mapToObj(i -> client.sendAsync(
			HttpRequest.newBuilder(URI.create(at + i)).POST(HttpRequest.BodyPublishers.ofString("x".repeat(i * 10000))).build(),
			HttpResponse.BodyHandlers.ofString()).thenApply(HttpResponse::body)).toList();
		for (CompletableFuture<String> answer : answers)
			System.out.println(answer.get());
		System.out.println(new String(new URL(at + "url").openStream().readAllBytes()));
		try {
			new Socket("localhost", 1);
		} catch (ConnectException e) {
			System.out.println(e.getMessage());
		}
		DatagramSocket a = new DatagramSocket(0, InetAddress.getLoopbackAddress()), b = new DatagramSocket();
		b.send(new DatagramPacket("datagram".getBytes(), 8, a.getLocalSocketAddress()));
		DatagramPacket in = new DatagramPacket(new byte[100], 100);
		a.setSoTimeout(1000);
		a.receive(in);
		System.out.println(new String(in.getData(), 0, in.getLength()));
		server.stop(0);
		pool.shutdown();
		System.exit(0);
	}
}
