#include <array>

#include "kinds.hpp"

namespace batchscope::findings {
namespace {

constexpr std::array kTrainingKinds = {
    FindingKind{
        "training.regression", "Steps became slower",
        "The time of a step rose by more than 3 % and stayed there for at least 16 steps. Changes "
        "of the mean are looked for in the logarithms of the last 600 times; outliers "
        "are not taken for changes, nor is noise that lasts from step to step: the slower it is, "
        "the more a change has to exceed it, nor are some slow steps close to each other. Steps "
        "that are as they were before some faster ones, within 3 % and their interval, for at "
        "least 200 of the last 2,000 and twice as many as those, are told as that: an evaluation "
        "under the name of the training looks so, and a neighbour that comes back. The step has an "
        "interval, as the size has. "
        "What changed of the machine or of the wait for batches at the same time is named: that is "
        "a coincidence, which may be the cause. It ends when steps are nearly as fast as before.",
        "Look at what is named first; else at what began at that time.",
        "low above 3 %, medium above 10 %, high above 25 % longer; low from the third time on, "
        "but their sum is told by the gravest; low where steps are as before some faster ones"},
    FindingKind{
        "training.slowing", "Steps become slower little by little",
        "Over all steps since the last change, a straight line rises by more than 3 % and five of "
        "its standard errors, and fits better than two levels do; or two levels with a slope "
        "between them, where that fits far better than either. It ends when the last 48 steps are "
        "nearly as fast as the first.",
        "Look at what grows: memory, caches, the length of samples, the temperature of the GPU.",
        "low above 3 %, medium above 10 %, high above 25 % longer; low from the third time on"},
    FindingKind{
        "training.batch-change", "Batches became larger or smaller",
        "The time of a step changed where the loop began to use another batch size. Samples a "
        "second are compared, and no step is called slower. It is told for 512 steps.",
        "Nothing where more samples are made a second; else measure which batch size is fastest.",
        "info; low where a sample takes more than 3 % longer"},
    FindingKind{
        "training.periodic-slow-steps", "Steps at equal distances take longer",
        "At least four steps at equal distances (long ones to a hundredth) took over 25 % and six "
        "robust standard deviations longer than a typical one, at least 1 % of the time in all, "
        "and at most two of five are missing. Where the wait for their batches is told, and is "
        "half of that at least, the loader is proven: of up to 64 steps its workers take turns, or "
        "epochs are that short. Where no wait is told, and each takes two typical steps more, such "
        "a loader is suspected. Else it is checkpoints, evaluations, logging, the garbage "
        "collector; of up to 64 steps it may be the optimizer, after several batches.",
        "Give the loader more workers; do it less often, or in the background.",
        "info; low above 3 % of the time, medium above 15 % and at more than 64 steps; of a "
        "loader medium above 15 %, and high above 40 % where it is proven"},
    FindingKind{
        "training.slow-steps", "Single steps take much longer",
        "Steps without a rhythm took over 25 % and six robust standard deviations longer "
        "than a typical one, at least 3 % of the time of the last 1000 steps in all. Where "
        "they are fewer than five, or may be the first of a rhythm, one has to take ten times "
        "as long more, and 1 % of that time is enough: they may be evaluations. Each of few is "
        "told with its number, and what was "
        "different about most of that time: it waited for its batch, had a larger one, or the "
        "first of its size.",
        "Look at the samples of these steps where they waited; else at what ran then: other "
        "programs, the garbage collector.",
        "low above 3 % of the time, medium above 10 %, high above 25 %; of few that waited at most "
        "medium, of other few info, and low above 25 %"},
    FindingKind{"training.loading", "Steps wait for their batches",
                "Of the last 512 steps, the loop says itself that it waited for batches at least "
                "5 % of their time. The first 10 steps do not count, in which workers start; nor "
                "is it told where that wait is in less than one of twenty steps, and in no rhythm: "
                "those are slow steps, which more workers do not mend. In the end it is told of "
                "the steps that waited: without those of these 512 before "
                "and after.",
                "Give the loader more workers and let them work ahead; make samples cheaper. Why "
                "it is slow is told by findings on the machine.",
                "low from 5 % of the time, medium from 15 %, high from 40 %"},
    FindingKind{
        "training.loss-not-finite", "The loss is no number",
        "A step told a loss that is NaN or infinite. One or two that finite ones follow "
        "are skipped steps, as mixed precision makes them; three in a row are the end of a "
        "training. It ends after 20 finite ones in a row.",
        "Nothing of a rare skipped step. Else stop, and go on from a checkpoint before that "
        "step. Look at the batch, the learning rate, and what overflows in 16 bits.",
        "high from three in a row on; medium until a finite one follows, and where three "
        "came within 20 steps of each other; info of skipped steps"},
    FindingKind{
        "training.loss-spike", "The loss jumped",
        "Three of four losses are more than 8 robust standard deviations and 10 % above the level "
        "of those before, or one is by 25. At least 48 losses are needed first. It ends when "
        "losses are back, or after 256 steps.",
        "Look at the batches of that step; lower the learning rate or clip gradients if it comes "
        "again.",
        "medium; info where the learning rate at least doubled in the 16 steps before it"},
    FindingKind{"training.loss-diverging", "The loss grows",
                "Medians of the loss over many steps are, three times in a row, above the lowest "
                "one by a quarter of it and by six times their noise.",
                "Go back to a checkpoint from before, with a lower learning rate.", "medium"},
    FindingKind{"training.loss-flat", "The loss does not fall any more",
                "Over the last half of all steps, at least 2000, a straight line through the loss "
                "falls by less than 0.5 % at most, and it does not grow. That is how training ends "
                "as well. Since when: as far back as the loss is within 0.5 % of that.",
                "Stop here, or change the learning rate.", "info"},
    FindingKind{"training.learning-rate-zero", "The learning rate is 0",
                "At least 20 steps in a row were made with a learning rate of 0.",
                "Check the schedule: its number of steps, and that it is advanced once a step.",
                "medium"},
};

}  // namespace

std::span<const FindingKind> training_kinds() {
  return kTrainingKinds;
}

}  // namespace batchscope::findings
