"""The pages: a folder for each topic, with what it computes, draws and says."""
