hither_folder(drivers/null FOLDERS error counting process target runtime
  LIBRARIES fmt::fmt-header-only)
