hither_folder(drivers/null FOLDERS error counting process target runtime
  LIBRARIES hither_fmt)
