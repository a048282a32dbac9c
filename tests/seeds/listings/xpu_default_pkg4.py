import pkg4 # Package implementing Knob_to_turn.Scenario_4

A1 = pkg4.allocate((50, 10)) # allocated on manager's current queue
A2 = pkg4.allocate((10, 30))
A3 = pkg4.dot(A1, A2)   # offloaded to manager's current queue
