"""What solvers did: replies read, graded, explained and counted, in pure Python.

One direction: an upload becomes rows (`formats`), a row's text becomes a reading (`answers`), a
reading becomes a grade (`score`) and findings (`diagnose`, with a `casebook` for each world);
`records.assess` is that path, and the page, the command, the API and the controls all take it. Rows
become scores (`metrics`, `statistics`) and the frozen report (`report`). Nothing here imports
Django, reads a clock or knows where a row is stored; numpy is used in `statistics` alone.
"""

from __future__ import annotations
