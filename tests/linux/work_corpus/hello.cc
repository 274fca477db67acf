// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

static int deep(int n)
{
	if (!n)
		throw std::runtime_error("bottom");
	return 1 + deep(n - 1);
}

int main()
{
	std::map<std::string, std::vector<int>> all;
	for (int i = 0; i < 2000; i++)
		all[std::to_string(i % 37)].push_back(i * 31 % 101);
	for (auto &[name, list] : all) {
		std::sort(list.begin(), list.end());
		std::cout << name << ' ' << list.size() << ' ' << list[list.size() / 2] << '\n';
	}
	int caught = 0;
	for (int i = 0; i < 50; i++)
		try {
			deep(i);
		} catch (const std::exception &) {
			caught++;
		}
	std::cout << caught << std::endl;
}
