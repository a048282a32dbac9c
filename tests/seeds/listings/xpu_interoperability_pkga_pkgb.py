import pkgA
import pkgB

A = pkgA.allocate((50, 10)) # allocated on default queue

B = pkgB.func(A)  # for computational queue pkgB uses data in A must be accessible
    
