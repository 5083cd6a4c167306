"""The job of scoring a questionnaire: read what it needs, ask, and write the run file."""

from __future__ import annotations

from collections.abc import Sequence

from assay.produce.calls import Facts, Made, Replies
from assay.produce.interviews import Reference, read_interviews, read_references
from assay.produce.item_calls import ItemCalls, ItemsRequest, check_request, chosen
from assay.produce.item_results import made_of
from assay.produce.tasks import read_item_task

__all__ = ["ItemsJob", "ItemsRequest", "items_job"]


class ItemsJob(ItemCalls):
    """Score every item of a questionnaire for every participant."""

    def made(self, replies: Replies, facts: Facts) -> Made:
        """Return the run file, and the prompts under their hashes."""
        return made_of(self, replies, facts)


def items_job(request: ItemsRequest) -> ItemsJob:
    """Read and check all that a run needs; nothing is sent yet."""
    check_request(request)
    task, task_hash = read_item_task(request.task)
    interviews, data_hash = read_interviews(request.data, task)
    references: Sequence[Reference] = ()
    hashes = {"task": task_hash, "data": data_hash}
    if request.references is not None:
        references, hashes["references"] = read_references(request.references, task)
    return ItemsJob(
        request=request,
        task=task,
        items=chosen(task, request.items),
        interviews=interviews,
        references=references,
        hashes=hashes,
    )
