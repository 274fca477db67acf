# SPDX-License-Identifier: MIT
#
# Programs for the tests of the page of eremite analyze.

. "$SRC/tests/analyze/lib.sh"

# make_hostile: compiles a race whose file, functions and variables have names that would be elements of HTML, as
# $hostile; $hostile_argument is such an argument.
make_hostile() {
	mkdir -p 'run<' 'src<'
	hostile="run</script><b>\"'&"
	hostile_argument='</script><script>document.title="argument"</script>'
	cat >"src</script><script>document.title=1\"'&.c" <<-'END'
		#include <pthread.h>
		static volatile int counter __asm__("\"<img src=x onerror=document.title=2>&amp;'\"");
		void *count(void *arg) __asm__("\"</script><script>document.title=3</script>\"");
		__attribute__((noinline)) void *count(void *arg)
		{
			for (int i = 0; i < 10; i++)
				counter++;
			return arg;
		}
		int main(void)
		{
			pthread_t threads[2];
			for (int i = 0; i < 2; i++)
				pthread_create(&threads[i], 0, count, 0);
			for (int i = 0; i < 2; i++)
				pthread_join(threads[i], 0);
			return counter != 20;
		}
	END
	"$B/eremite-cc" -g1 -O2 -fpreempt=memory -o "$hostile" 'src<'/*.c || complain "cannot compile the hostile program"
}

# make_many COUNT: compiles a race of so many threads as ./many. There is no room for the columns of twelve.
make_many() {
	cat >many.c <<-'END'
		#include <pthread.h>
		static volatile int counter;
		static void *count(void *arg)
		{
			for (int i = 0; i < 100; i++)
				counter++;
			return arg;
		}
		int main(void)
		{
			pthread_t threads[COUNT];
			for (int i = 0; i < COUNT; i++)
				pthread_create(&threads[i], 0, count, 0);
			for (int i = 0; i < COUNT; i++)
				pthread_join(threads[i], 0);
			return counter != 100 * COUNT;
		}
	END
	"$B/eremite-cc" -g -O2 -fpreempt=memory "-DCOUNT=$1" -o many many.c || complain "cannot compile many.c"
}
