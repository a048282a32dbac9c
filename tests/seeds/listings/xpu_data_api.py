import arLib1 # data-API conformant libraries
import arLib2

A1 = arLib1.empty(...)
A1c = arLib1.asarray(queue=q_used_by_arLib2)

A2 = arLib2.array( A1, device="dev" )
