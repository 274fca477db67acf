/* SPDX-License-Identifier: MIT */
/** What standard input has: a word, a number, and lines. */
import java.util.Scanner;

public class Read {
	public static void main(String[] arguments) throws Exception {
		Scanner scanner = new Scanner(System.in);
		System.out.println(scanner.next() + "," + scanner.nextInt());
		scanner.nextLine();
		while (scanner.hasNextLine())
			System.out.println(scanner.nextLine());
	}
}
