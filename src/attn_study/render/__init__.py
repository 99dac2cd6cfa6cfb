"""How things look: values in, text out, nothing printed."""
