import pkg2 # Package implementing Knob_to_turn.Scenario_2

A1 = pkg2.allocate((50, 10)) # allocated on default queue
A2 = pkg2.allocate((10, 30))
A3 = pkg2.dot(A1, A2)   # offloaded to default queue

pkg2.set_default_queue("gpu:1") # change default queue
....
