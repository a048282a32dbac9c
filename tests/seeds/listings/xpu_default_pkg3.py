import pkg3 # Package implementing Knob_to_turn.Scenario_3

A1 = pkg3.allocate((50, 10)) # allocated on default queue
A2 = pkg3.allocate((10, 30))
A3 = pkg2.dot(A1, A2)   # offloaded to queue inferred from data (default queue)
