"""hither.compile: functions of arrays that are recorded once and run as one call."""
