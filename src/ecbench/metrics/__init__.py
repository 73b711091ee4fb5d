"""What a year says about the merchant who ran it: one module per dimension of the paper's evaluation."""
