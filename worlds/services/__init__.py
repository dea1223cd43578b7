"""What can be done with worlds: each function is a verb that pages, commands and jobs share."""

from __future__ import annotations

from worlds.services.corpora import (
    MOST_FAMILIES,
    STANDARD_LEVELS,
    STARTER,
    check_slug,
    complete_corpus,
    create_corpus,
    ensure_starter_corpus,
    find_corpus,
    forge_job,
    last_job,
    take_up_corpus,
)
from worlds.services.evidence import (
    BridgeProof,
    Engine,
    EvidenceCard,
    Fact,
    PolicyProof,
    bridges_of,
    engines_of,
    evidence_of,
    facts_of,
    policy_of,
)
from worlds.services.instances import documents_of, instance_json, instance_of, world_of
from worlds.services.minting import (
    AheadMinter,
    Lost,
    Minted,
    Minter,
    Outcome,
    mint_missing,
    mint_outcome,
    step_note,
)
from worlds.services.papers import Paper, Piece, around_papers, papers_of
from worlds.services.rechecks import open_recheck, recheck_by_z3
from worlds.services.verification import Finding, Verified, verify_corpus, verify_instance

__all__ = [
    "MOST_FAMILIES",
    "STANDARD_LEVELS",
    "STARTER",
    "AheadMinter",
    "BridgeProof",
    "Engine",
    "EvidenceCard",
    "Fact",
    "Finding",
    "Lost",
    "Minted",
    "Minter",
    "Outcome",
    "Paper",
    "Piece",
    "PolicyProof",
    "Verified",
    "around_papers",
    "bridges_of",
    "check_slug",
    "complete_corpus",
    "create_corpus",
    "documents_of",
    "engines_of",
    "ensure_starter_corpus",
    "evidence_of",
    "facts_of",
    "find_corpus",
    "forge_job",
    "instance_json",
    "instance_of",
    "last_job",
    "mint_missing",
    "mint_outcome",
    "open_recheck",
    "papers_of",
    "policy_of",
    "recheck_by_z3",
    "step_note",
    "take_up_corpus",
    "verify_corpus",
    "verify_instance",
    "world_of",
]
