# In the folder of Hearth. The first line that it prints is its address.
make run
