"""What attention computes: arrays on named axes, every step of the working kept."""
