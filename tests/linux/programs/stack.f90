! SPDX-License-Identifier: MIT
! Automatic arrays of 64 MB and recursion of half a million calls: more stack than most limits allow.
program stack
   implicit none
   print '(f16.1)', total(8000000)
   print '(i0)', depth(500000)
contains
   function total(n)
      integer, intent(in) :: n
      real(8) :: total, values(n)
      integer :: i
      do i = 1, n
         values(i) = mod(i, 1000) * 0.5d0
      end do
      total = sum(values(n:1:-1))
   end function total

   recursive function depth(n) result(calls)
      integer, intent(in) :: n
      integer :: calls, room(8)
      room = n
      calls = 0
      if (n > 0) calls = depth(n - 1) + minval(room) / n
   end function depth
end program stack
