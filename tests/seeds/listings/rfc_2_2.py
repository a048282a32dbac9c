import numba as nb

def gpujit(func):
  def wrp_gpujit(*args, **kwargs):
    jitted = nb.jit()(func)
    if dppl.get_context():
      return jitted(*args, **args)
    else:
      with dppl.device_context(gpu):
        jitted(*args, **kwargs)
  return wrp_gpujit

@gpujit
def foo(a):
   ...
