"""What can be done with replies: each function is a verb that pages, commands and jobs share."""

from __future__ import annotations
