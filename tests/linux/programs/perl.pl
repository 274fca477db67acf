# SPDX-License-Identifier: MIT
# Processes, pipes, regular expressions, hashes, signals, sockets and modules of Perl.
use strict; use warnings; $|=1;
my $pid = fork(); if (!$pid) { print "child\n"; exit 3 } waitpid($pid,0); print "st ", $?>>8, "\n";
open(my $p, "-|", "seq 3") or die; print "got $_" while <$p>; close $p;
open($p, "|-", "sort -r") or die; print $p "b\na\nc\n"; close $p; 
print `echo backtick`; system("exit 5"); print $?>>8, "\n";
pipe(my $r, my $w); if (!fork) { close $r; print $w "thru pipe\n"; exit } close $w; print <$r>; wait;
my %h = map { $_ => length } qw(apple fig banana kiwi); print "$_=$h{$_}\n" for sort { $h{$a} <=> $h{$b} or $a cmp $b } keys %h;
printf "%.15g %e %5.2f %s %b %o\n", 1/3, 12345.678, 3.14159, "str", 10, 64;
my $t = "The quick brown fox"; (my $u = $t) =~ s/(\w+)/\u\L$1/g; print "$u\n"; print join("|", $t =~ /\b(\w)/g), "\n";
local $SIG{ALRM} = sub { die "alarm\n" }; eval { alarm 1; select undef,undef,undef,5; }; print "E $@";
$SIG{USR1} = sub { print "usr1\n" }; kill USR1 => $$;
print join(",", sort { $a <=> $b } map { $_*7 % 11 } 1..10), "\n"; print scalar(reverse "abc"), "\n";
open(my $f, ">", "x") or die; print $f "line $_\n" for 1..1000; close $f; print -s "x", "\n"; unlink "x";
use POSIX qw(floor strftime :sys_wait_h); print floor(-1.5), strftime("%Y-%m-%d", gmtime(86400*365)), "\n";
use Socket; socketpair(my $a1, my $b1, AF_UNIX, SOCK_STREAM, PF_UNSPEC) or die; syswrite $a1, "sock\n"; sysread $b1, my $buf, 100; print $buf;
use Digest::MD5 qw(md5_hex); print md5_hex("x"), "\n"; use List::Util qw(sum max); print sum(1..10), "\n";
use Data::Dumper; $Data::Dumper::Sortkeys=1; print Dumper({a=>[1,2],b=>{c=>1}});
use Time::HiRes qw(usleep); usleep 1000; use File::Temp qw(tempfile); my ($fh,$fn)=tempfile(UNLINK=>1); print $fh "x"; close $fh; print -s $fn, "\n";
print pack("NnC", 1,2,3) eq "\0\0\0\1\0\2\3" ? "ok\n" : "no\n"; print sprintf("%vd", "1.22.333"), "\n";
