! SPDX-License-Identifier: MIT
! Fortran with OpenMP: four threads of libgomp, which wait by pause and futexes; loops, reductions, tasks, sections,
! ordered parts, locks, barriers, and what the run time says of itself. All sums are of whole numbers, or in one order.
program openmp
  use omp_lib
  implicit none
  integer, parameter :: n = 100000
  integer :: i, j, counter, order(8), k
  integer(8) :: total
  real(8) :: a(200, 200), b(200, 200), c(200, 200), x(n)
  integer(omp_lock_kind) :: lock
  character(len=40) :: text

  print '(A,I0)', 'threads ', omp_get_max_threads()

  total = 0
  !$omp parallel do reduction(+:total) schedule(dynamic, 100)
  do i = 1, n
     total = total + mod(i * 7919_8, 1009_8)
  end do
  !$omp end parallel do
  print '(A,I0)', 'sum ', total

  !$omp parallel do schedule(static)
  do i = 1, n
     x(i) = sin(real(i, 8)) / i
  end do
  !$omp end parallel do
  print '(A,F20.17)', 'series ', sum(x)

  !$omp parallel do collapse(2) schedule(guided)
  do j = 1, 200
     do i = 1, 200
        ! Sums of whole numbers are exact, in whichever order the processor's matmul of libgfortran adds them.
        a(i, j) = real(mod(i + j, 17), 8)
        b(i, j) = real(i * j, 8)
     end do
  end do
  !$omp end parallel do
  !$omp parallel workshare
  c = matmul(a, b)
  !$omp end parallel workshare
  print '(A,ES24.16)', 'product ', sum(c)

  counter = 0
  call omp_init_lock(lock)
  !$omp parallel num_threads(4) private(i)
  do i = 1, 100
     call omp_set_lock(lock)
     counter = counter + 1
     call omp_unset_lock(lock)
     !$omp atomic
     counter = counter + 1
     !$omp critical
     counter = counter + 0
     !$omp end critical
     !$omp barrier
  end do
  !$omp single
  print '(A,I0)', 'team ', omp_get_num_threads()
  !$omp end single
  !$omp end parallel
  call omp_destroy_lock(lock)
  print '(A,I0)', 'between locks ', counter / 100

  k = 0
  !$omp parallel do ordered schedule(dynamic)
  do i = 1, 8
     !$omp ordered
     k = k + 1
     order(k) = i
     !$omp end ordered
  end do
  !$omp end parallel do
  print '(A,8(1X,I0))', 'ordered', order

  !$omp parallel
  !$omp single
  total = fibonacci(18)
  !$omp end single
  !$omp end parallel
  print '(A,I0)', 'tasks ', total

  !$omp parallel sections num_threads(2)
  !$omp section
  order(1) = 11
  !$omp section
  order(2) = 22
  !$omp end parallel sections
  print '(A,2(1X,I0))', 'sections', order(1:2)

  !$omp parallel num_threads(2) private(i)
  !$omp parallel num_threads(2) private(i) reduction(+:total)
  total = total + omp_get_level()
  !$omp end parallel
  !$omp end parallel

  open (unit=10, file='numbers', form='unformatted', access='stream', status='replace')
  write (10) x(1:1000)
  rewind (10)
  x = 0
  read (10) x(1:1000)
  close (10, status='delete')
  write (text, '(3F12.8)') x(1), x(10), x(100)
  print '(2A)', 'file ', trim(text)
  open (unit=11, file='nothing/here', status='old', iostat=i)
  print '(A,L1)', 'no file ', i /= 0
  print '(A,L1)', 'time passes ', omp_get_wtime() >= 0
  stop 9
contains
  recursive function fibonacci(m) result(f)
    integer, intent(in) :: m
    integer(8) :: f, left, right
    if (m < 2) then
       f = m
       return
    end if
    !$omp task shared(left) if(m > 10)
    left = fibonacci(m - 1)
    !$omp end task
    !$omp task shared(right) if(m > 10)
    right = fibonacci(m - 2)
    !$omp end task
    !$omp taskwait
    f = left + right
  end function
end program
