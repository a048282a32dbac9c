import pkg1 # Package implementing Knob_to_turn.Scenario_1
q = ....
A1 = allocate(q, (50, 10))
A2 = allocate(q, (10, 30))
A3 = pkg1.gemm(q, A1, A2)
