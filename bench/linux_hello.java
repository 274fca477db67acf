// SPDX-License-Identifier: MIT
class Hello {
	public static void main(String[] arguments)
	{
		System.out.println("hello");
	}
}
