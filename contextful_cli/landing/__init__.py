"""Reading a file to land: reading.py lays its rows as they are, forms.py checks and casts them in SQL."""
