"""Do tests notice when a line that keeps people apart, lets them in or holds something back is wrong?"""
