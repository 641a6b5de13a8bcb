"""A training loop of the user's own whose steps fit in memory, that stops between steps, and goes on where it was."""

import contextlib
import math
import warnings

import torch

from batchscope._errors import InputError, MeasurementError, UsageError
from batchscope._training import conditions, random_state, splitting, workers
from batchscope._training.attempts import MicroBatches
from batchscope._training.checkpoints import Checkpoints
from batchscope._training.folder_lock import FolderLock
from batchscope._training.position import Position
from batchscope._training.ranks import inner_module, ranks_of
from batchscope._training.signals import ASK_TO_STOP, STOP_CODE, Signals, Stopped
from batchscope._training.update import Update

_END = object()
_DTYPES = {"fp32": None, "bf16": torch.bfloat16, "fp16": torch.float16}


class TrainingGuard:
    """Makes the steps of a training loop so that lack of memory, non-finite gradients, signals and kills lose nothing.

        with TrainingGuard(model, optimizer, "checkpoints", sampler=sampler, max_norm=1.0) as guard:
            guard.resume()
            while guard.epoch < 10:
                for batch in guard.batches(loader):
                    loss = guard.step(batch, lambda part: cross_entropy(model(part["x"]), part["y"], reduction="sum"))

    Out of memory: the batch is split, and its parts are weighed by items; later batches are split to the size that fits.
    Non-finite gradients: no step is made; after max_skipped of them in a row the last good checkpoint is loaded, and training
    goes on with the next batch. SIGTERM, SIGINT, SIGUSR1: the step ends, a checkpoint is written, and the process exits with
    code 75. Under DistributedDataParallel the ranks agree on all of it; FSDP is refused.

    model, optimizer: as in a plain loop; model may be wrapped in DistributedDataParallel or compiled
    folder: of checkpoints; every checkpoint_every steps one is written, and the newest `keep` stay
    scheduler: of the learning rate; it steps where the optimizer does
    sampler: with state_dict, load_state_dict and trained, such as bs.BatchSampler; without one a restart begins the epoch anew
    precision: "fp32", or "bf16" or "fp16" by autocast; fp16 has a GradScaler, guard.scaler
    max_norm: gradients are clipped to it
    micro_batch: samples of a part at most, from the start
    split: function(batch, parts) that returns that many batches, where samples are not the first dimension of tensors
    extra: {name: object with state_dict and load_state_dict} to be saved, too
    signals: that stop the training, by name
    """

    def __init__(self, model, optimizer, folder, *, scheduler=None, sampler=None, precision="fp32", max_norm=None,
                 checkpoint_every=1000, keep=3, max_skipped=20, micro_batch=None, split=None, extra=None, signals=ASK_TO_STOP):
        if precision not in _DTYPES:
            raise UsageError(f"precision is {precision!r}: use fp32, bf16 or fp16")
        for name, value in (("checkpoint_every", checkpoint_every), ("max_skipped", max_skipped), ("micro_batch", micro_batch)):
            if value is not None and not value >= 1:
                raise UsageError(f"{name} is {value!r}: set it to 1 or more")
        parameter = next((each for each in model.parameters() if each.requires_grad), None)
        if parameter is None:
            raise UsageError("no parameter of the model requires a gradient")
        self._device, self._dtype = parameter.device, _DTYPES[precision]
        #: The GradScaler of fp16, else None.
        self.scaler = torch.amp.GradScaler(self._device.type) if precision == "fp16" else None
        #: Batches that were trained, those that were skipped included.
        self.steps = 0
        self._model, self._optimizer, self._scheduler, self._extra = model, optimizer, scheduler, dict(extra or {})
        self._every, self._max_skipped = checkpoint_every, max_skipped
        self._ranks = ranks_of(model)
        self._parameters = [each for each in model.parameters() if each.requires_grad]
        self._micros = MicroBatches(model, micro_batch, split)
        self._update = Update(optimizer, self.scaler, max_norm, scheduler, self._device, max_skipped)
        self._position = Position(sampler)
        self._checkpoints = Checkpoints(folder, keep)
        self._lock = self._locked() if self._ranks.rank == 0 else None
        self._has_begun, self._failure, self._iterator = False, None, None
        self._saved_steps, self._went_back_to, self._random = None, None, None
        self._signals = Signals(signals, lambda: self._ranks.size == 1 and self._is_saved())
        optimizer.zero_grad(set_to_none=True)

    def _locked(self):
        folder = self._checkpoints.folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            lock = FolderLock(folder)
        except OSError as raised:
            raise UsageError(f"cannot write checkpoints to {folder}: {raised.strerror}") from None
        self._checkpoints.sweep()
        return lock

    @property
    def epoch(self):
        """From 0."""
        return self._position.epoch

    @property
    def skipped_steps(self):
        """Steps whose gradients were not finite; on a device it is waited for."""
        return self._update.skips.total

    @property
    def out_of_memory(self):
        """How often memory was out."""
        return self._micros.failures

    @property
    def micro_batches(self):
        """Parts that the last batch was split into."""
        return self._micros.parts

    @property
    def checkpoints(self):
        """Their folders, the newest first. model.pt within one is what torch.load(weights_only=True) makes a state_dict of."""
        return self._checkpoints.paths()

    def batches(self, loader):
        """The loader's batches of an epoch, what is left of it after resume().

        What the start of a loader draws from the generators is put back; workers, which a signal to the process group would end,
        are made to live as long as this process. InputError: the data set has another length than in the checkpoint."""
        self._begin()
        self._position.adopt(loader)
        self._ranks.check_same("the sampler's data and position", self._position.fingerprint())
        before = random_state.all_state() if self._random is None else self._random
        with self._guarded():
            self._iterator = iterator = workers.start(loader, self._signals.numbers)
        random_state.set_all_state(before)
        self._random = None
        try:
            while (batch := self._next(iterator)) is not _END:
                yield batch
        finally:
            self._iterator = None
        self._position.end_epoch()

    def _next(self, iterator):
        try:
            # Alone it may be left at once; of several ranks all have to make the step in which they agree to stop.
            self._signals.is_waiting = self._ranks.size == 1
            if self._signals.asked and self._signals.is_waiting:
                raise Stopped
            return next(iterator, _END)
        except BaseException:
            self._signals.is_waiting = False
            if self._signals.asked:
                self._stop()
            raise
        finally:
            self._signals.is_waiting = False

    @contextlib.contextmanager
    def _guarded(self):
        """Within it no signal and no worker's death raises anything."""
        self._signals.begin()
        try:
            yield
        finally:
            self._signals.is_busy = False
        self._signals.end()

    def step(self, batch, loss_sum, items=None, number=None):
        """Forward, backward and optimizer step of a batch; the loss per item, a tensor of one number without a graph.

        loss_sum(batch): the sum of the losses over the items of a batch, or of a part of it, as a tensor of one number; called
        again where memory was out. It moves the batch to the device. items: what the loss is a mean over, such as tokens: a number,
        or a function of the batch; samples where it is not given. number: of the batch, where it is not the sampler's next.

        MeasurementError: one sample does not fit; gradients are not finite again after going back; the optimizer failed within its
        step, after which the guard is closed; another rank failed. UsageError: the batch cannot be split; the field is named."""
        self._begin()
        if self._signals.asked and self._ranks.size == 1:
            self._stop()
        self._random = None
        self._signals.begin()
        try:
            loss, has_to_stop = self._made(batch, loss_sum, items, number)
            self._after_step()
        finally:
            self._signals.is_busy = False
        self._signals.end()
        if has_to_stop or (self._signals.asked and self._ranks.size == 1):
            self._stop()
        return loss

    def _made(self, batch, loss_sum, items, number):
        loss = failure = None
        count, limit = 0.0, math.inf
        try:
            count = _count_of(batch, items)
            with self._ranks.local():
                loss = self._micros.run(batch, self._cast(loss_sum), count, self._scaled, self._drop)
            if self._micros.has_changed:
                limit = self._position.tokens_of(self._micros.fraction_of(batch), number)
        except Exception as raised:
            self._drop()
            self._micros.undo()
            failure = raised
        total, has_to_stop, limit = self._ranks.agree(count, self._signals.asked is not None, failure, limit, self._parameters)
        self._ranks.reduce(self._parameters, count, total)
        self._apply()
        self._position.set_limit(limit)
        self._position.trained(number)
        self.steps += 1
        return loss, has_to_stop

    def _cast(self, loss_sum):
        if self._dtype is None:
            return loss_sum

        def cast(part):
            with torch.autocast(self._device.type, self._dtype):
                return loss_sum(part)

        return cast

    def _scaled(self, loss):
        return loss if self.scaler is None else self.scaler.scale(loss)

    def _drop(self):
        self._optimizer.zero_grad(set_to_none=True)

    def _apply(self):
        """Once begun it is never tried again: an optimizer that fails has moved some parameters and not others."""
        try:
            self._update.apply()
        except BaseException as raised:
            kept = self._checkpoints.paths()
            self._failure = (f"the optimizer failed inside its step ({type(raised).__name__}: {raised}): some parameters are updated, "
                             "others are not. These weights are not saved. Restart the training and resume() from " + (
                                 kept[0].name if kept else "the beginning: there is no checkpoint yet"))
            raise MeasurementError(self._failure) from raised
        self._drop()

    def _after_step(self):
        in_a_row = self._update.skips.in_a_row
        if in_a_row >= self._max_skipped:
            self._go_back(in_a_row)
        elif self.steps % self._every == 0 and in_a_row == 0:
            try:
                self._save()
            except MeasurementError as raised:
                warnings.warn(f"training continues: {raised}", RuntimeWarning, stacklevel=4)

    def _go_back(self, in_a_row):
        found = self._checkpoints.newest(lambda manifest: manifest["is_good"])
        name = None if found is None else found.path.name
        self._ranks.check_same("the last good checkpoint", name)
        if found is None or name == self._went_back_to:
            self._failure = f"gradients were not finite in {in_a_row} consecutive steps, " + (
                "and there is no checkpoint to go back to" if found is None else f"again after going back to {name}")
            raise MeasurementError(self._failure)
        warnings.warn(f"gradients were not finite in {in_a_row} consecutive steps: loading {name}", RuntimeWarning, stacklevel=5)
        self._load_weights(found)
        self._update.skips.forget_row()
        self._went_back_to = name

    def save(self):
        """Writes a checkpoint of the steps made so far, unless there is one; its folder.

        Every rank has to call it. MeasurementError: it could not be written or read back; those of before are still there."""
        self._begin()
        with self._guarded():
            self._save()
        return self._checkpoints.folder / f"step-{self.steps:09d}"

    def _save(self):
        if self._saved_steps == self.steps:
            return
        rest = {"steps": self.steps, "skipped": self._update.skips.total, "position": self._position.state_dict(),
                "micro_batches": self._micros.state_dict(),
                "scheduler": None if self._scheduler is None else self._scheduler.state_dict(),
                "scaler": None if self.scaler is None else self.scaler.state_dict(),
                "extra": {name: each.state_dict() for name, each in self._extra.items()},
                "random": self._ranks.gather(random_state.all_state())}
        failure = None
        if self._ranks.rank == 0:
            facts = {"is_good": self._update.skips.exact_in_a_row() == 0, "conditions": self._conditions()}
            contents = {"model": inner_module(self._model).state_dict(), "optimizer": self._optimizer.state_dict(), "training": rest}
            try:
                self._checkpoints.write(self.steps, contents, facts)
            except MeasurementError as raised:
                failure = raised
        self._ranks.check_together(failure)
        self._saved_steps = self.steps

    def _is_saved(self):
        """Nothing was trained since the last checkpoint, or since the start."""
        return self.steps == (self._saved_steps or 0)

    def _conditions(self):
        return conditions.conditions(inner_module(self._model), self._optimizer, self._ranks.size)

    def resume(self, exact=True):
        """Loads the newest complete checkpoint; the steps that it has, 0 where the folder has none.

        exact: what changes the bits of the losses has to be as it was: threads, ranks, version of torch. InputError: it is not;
        the checkpoint is of another model, optimizer or data; none of those that are there is complete."""
        with self._guarded():
            failure = found = None
            try:
                found = self._found()
                if found is not None:
                    self._load(found, exact)
            except InputError as raised:
                failure = raised
            self._ranks.check_together(failure)
            self._ranks.check_same("the checkpoint to resume", found and found.path.name)
            self._has_begun = True
            if found is not None and self._ranks.rank == 0:
                self._checkpoints.set_aside_after(found)
        if self._signals.asked and self._ranks.size == 1:
            self._stop()
        return self.steps

    def _found(self):
        found = self._checkpoints.newest()
        if found is None and self._checkpoints.paths():
            raise InputError(f"no checkpoint in {self._checkpoints.folder} is complete")
        return found

    def _load(self, found, exact):
        conditions.check(found.manifest["conditions"], self._conditions(), exact)
        rest = found.load("training")
        conditions.check_objects(rest, self._scheduler, self.scaler, self._extra)
        self._load_weights(found)
        self._position.load_state_dict(rest["position"])
        self._micros.load_state_dict(rest["micro_batches"])
        for name, each in self._extra.items():
            each.load_state_dict(rest["extra"][name])
        self._update.skips.total = rest["skipped"]
        self._random = rest["random"][self._ranks.rank % len(rest["random"])]
        random_state.set_all_state(self._random)
        self.steps = self._saved_steps = rest["steps"]

    def _load_weights(self, found):
        """Of model, optimizer, schedule and scale; nothing is changed where they do not fit."""
        module, saved, rest = inner_module(self._model), found.load("model"), found.load("training")
        conditions.check_model(saved, module)
        conditions.check_optimizer(optimizer := found.load("optimizer"), self._optimizer)
        module.load_state_dict(saved)
        self._optimizer.load_state_dict(optimizer)
        if self._scheduler is not None:
            self._scheduler.load_state_dict(rest["scheduler"])
        if self.scaler is not None:
            self.scaler.load_state_dict(rest["scaler"])

    def _begin(self):
        """Before the first step; and refuses to go on after a failure that left the weights half-way."""
        if self._failure is not None:
            raise MeasurementError(self._failure)
        if self._has_begun:
            return
        if self._checkpoints.paths():
            raise UsageError(f"{self._checkpoints.folder} has checkpoints of an earlier training: call resume() first, or use another "
                             "folder")
        self._has_begun = True

    def _stop(self):
        with self._guarded():
            if not self._is_saved():
                self._save()
            workers.end(self._iterator)
        self._release()
        raise SystemExit(STOP_CODE)

    def close(self):
        """Handles signals no longer. Where one has asked to stop that is done now: a checkpoint, and exit code 75."""
        if self._signals.asked and self._failure is None and self._ranks.size == 1:
            self._stop()
        self._release()

    def _release(self):
        self._signals.asked = None
        self._signals.close()
        if self._lock is not None:
            self._lock.close()

    def __enter__(self):
        return self

    def __exit__(self, _kind, raised, _traceback):
        """After an exception of the loop's own what was trained so far is saved, where one process can do so."""
        # A signal that ended the workers, too, is known by what the loader says of them.
        if raised is None or (isinstance(raised, RuntimeError) and "DataLoader worker" in str(raised) and self._signals.asked):
            self.close()
            return
        if isinstance(raised, Exception) and self._failure is None and self._ranks.size == 1 and not self._is_saved():
            try:
                self.save()
            except Exception as unsaved:
                warnings.warn(str(unsaved), RuntimeWarning, stacklevel=2)
        self._release()


def _count_of(batch, items):
    count = splitting.first_length(batch)[1] if items is None else items(batch) if callable(items) else items
    count = float(count)
    if not (math.isfinite(count) and count > 0):
        raise UsageError(f"items is {count}: the loss of a batch is a mean over its items, so it needs more than 0")
    return count
