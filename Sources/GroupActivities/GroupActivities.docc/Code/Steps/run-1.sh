# In a second terminal, and once more in a third under another name.
HEARTH_NAME=Ana swift run Lunch
