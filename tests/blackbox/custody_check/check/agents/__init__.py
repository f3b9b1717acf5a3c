"""The model of agents, and the checks of their answers."""
