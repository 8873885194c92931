"""Draw pictures, and train and calibrate the networks on them.

Not installed with the product, which never imports it. It needs more than the product does, such as
torch, onnx or Blender; each module says what.
"""
