"""Running all of Exegesis on one machine, for those who try it or work on it. Servers of a team stand in docker-compose.yml."""
