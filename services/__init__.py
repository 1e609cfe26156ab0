"""The four services of Exegesis and the file that assembles them."""
