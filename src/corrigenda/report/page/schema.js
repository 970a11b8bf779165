// The types of the report's data, from report/schema.py.
// Written by: python -m corrigenda.report.schema_files --write

/** A column of the leaderboard. Its kind says what its values are and how they are shown.
 * @typedef {Object} LeaderboardColumn
 * @property {string} title the heading
 * @property {string} note what the column means, in a few words
 * @property {"score"|"fraction"|"change"|"number"|"count"|"rank"|"p"|"text"} kind score: [value,
 *   low, high], × 100, with a bar; fraction: a number, × 100; change: a difference, × 100, with its
 *   sign; number: as it is, with three decimals; count: a whole number; rank: [best, worst]; p: a
 *   p-value; text: a string
 * @property {(number|string|[number, number]|[number|null, number|null, number|null]|null)[]|null}
 *   values per system, null if missing; the score column of a metric has no list: it shows the
 *   scores of the metric
 * @property {boolean} under whether the cells of the column before it show it as a line
 */

/** The scores of all systems by one metric, as fractions.
 * @typedef {Object} MetricSummary
 * @property {string} name as the command line takes it
 * @property {string} title
 * @property {string} signature
 * @property {(number|null)[]} scores per system
 * @property {(number|null)[]} low lower bound of the interval, per system
 * @property {(number|null)[]} high upper bound of the interval, per system
 * @property {LeaderboardColumn[]} columns columns about this metric
 * @property {number[]} p p-value per pair of systems: (1, 0), (2, 0), (2, 1), (3, 0), …
 * @property {number[]} clusters group of overlapping ranks, per system; 1 is the best group
 * @property {boolean} thinned whether only some of its draws of references are resampled
 */

/** How intervals and tests were made.
 * @typedef {Object} ResamplingSummary
 * @property {number} resamples
 * @property {number} seed
 * @property {number} confidence level of the intervals, e.g. 0.95
 * @property {"holm"|"bh"|"none"} correction how p-values are corrected for the number of tests
 * @property {number} draws number of draws of references that a thinned metric is resampled on
 * @property {number} min_sentences smaller slices are not tested
 */

/** The scores that people gave to the systems.
 * @typedef {Object} HumanSummary
 * @property {string} name
 * @property {(number|null)[]} scores per system; null if it was not judged
 */

/** Edits of each type, against the references that the extractor chose.
 * @typedef {Object} TypeCounts
 * @property {number[][]} gold number of gold edits: [slice][system]
 * @property {number[][]} made number of gold edits that the system made: [slice][system]
 * @property {number[][]|null} wrong number of wrong edits: [slice][system]; null if the extractor
 *   gives them no types
 */

/** All slices by one property of sentences.
 * @typedef {Object} SlicingData
 * @property {string} by length, edits, type, or a column of the sidecar
 * @property {string[]} labels per slice
 * @property {number[]} counts number of sentences per slice
 * @property {(number|null)[][][]} scores [metric][slice][system]
 * @property {(number[]|null)[]} p p-values by the first metric, [slice][pair]; null for a slice
 *   that is not tested
 * @property {TypeCounts|null} edits only for slices by type
 */

/** A finding about the texts that makes their scores doubtful.
 * @typedef {Object} HealthNote
 * @property {string} subject the system, or the text of the corpus
 * @property {string} code
 * @property {string} message
 * @property {string} remedy
 * @property {number[]} lines the first few lines, from 1
 */

/** An earlier run.
 * @typedef {Object} EarlierSummary
 * @property {string} name
 * @property {string[]} other_settings metrics that were computed in another way
 * @property {string[]} systems the systems of this report, then those that it lacks
 * @property {(number|null)[][]} scores [metric][system]; null if the earlier run had no score
 */

/** Mean scores over subsets of references.
 * @typedef {Object} CeilingOfMetric
 * @property {number|null} human of the references that were left out
 * @property {(number|null)[]} systems per system
 */

/** How people score, if each reference is scored against the others.
 * @typedef {Object} CeilingSummary
 * @property {CeilingOfMetric[]} by_metric per metric
 * @property {number} subsets how many references were left out in turn
 * @property {number} sentences sentences with two references or more
 */

/** All data of a report except its sentences.
 * @typedef {Object} ReportSummary
 * @property {string} version version of Corrigenda
 * @property {string} title
 * @property {string} headline the result in a few sentences
 * @property {number} sentences number of sentences
 * @property {[number, number]} references smallest and largest number of a sentence's references
 * @property {"annotated"|"extracted"|null} gold where gold edits come from; null without references
 * @property {"corpus"|"sentence"} level
 * @property {string} extractor extractor of the systems' edits
 * @property {string[]} systems
 * @property {MetricSummary[]} metrics
 * @property {LeaderboardColumn[]} columns columns that do not belong to one metric
 * @property {ResamplingSummary} resampling
 * @property {HumanSummary|null} human
 * @property {SlicingData[]} slicings
 * @property {HealthNote[]} health
 * @property {EarlierSummary|null} earlier the run that scores are compared with
 * @property {CeilingSummary|null} ceiling only if it was asked for
 * @property {string|null} attributed the metric whose score is shared out among edits
 */

/** An edit of a reference: words `start` up to `end` become one of `corrections`.
 * @typedef {Object} GoldEditRow
 * @property {number} start
 * @property {number} end
 * @property {string[]} corrections
 * @property {string} type
 */

/** An edit of a system, compared with the gold edits of a reference.
 * @typedef {Object} MadeEditRow
 * @property {number} start
 * @property {number} end
 * @property {string} correction
 * @property {number} gold index of the equal gold edit; -1 if the edit is wrong
 * @property {string|null} type type of a wrong edit, if the extractor gives one
 */

/** A change that a system made in a sentence without references: it has no verdict.
 * @typedef {Object} ChangeRow
 * @property {number} start
 * @property {number} end
 * @property {string} correction
 */

/** A distinct output for a sentence.
 * @typedef {Object} OutputRow
 * @property {string} text
 * @property {MadeEditRow[][]} edits per reference
 * @property {ChangeRow[]|null} changes only for a sentence without references
 */

/** Texts, edits and scores of all sentences.
 * @typedef {Object} SentenceData
 * @property {string[]} sources
 * @property {string[][]} references [sentence][reference]
 * @property {GoldEditRow[][][]} gold edits: [sentence][reference]
 * @property {OutputRow[][]} outputs distinct outputs per sentence
 * @property {number[][]} output_of index of a system's output: [sentence][system]
 * @property {number[][]} compared_with chosen reference, [sentence][system]; empty without
 *   references
 * @property {(number|null)[][][]} scores thousandths: [metric][sentence][system]
 * @property {(number[][]|null)[]} chosen reference that counts, or -1: [metric][sentence][system];
 *   null if there is none to show
 * @property {number[][][]} slices slices of a sentence: [slicing][sentence]
 * @property {number[][][]|null} gains what each edit did to the score by the attributed metric,
 *   against the chosen reference, in thousandths: [sentence][system][edit]
 */

// The fields of rows, which are arrays in the data.
const ROW_FIELDS = {
  GoldEditRow: ["start", "end", "corrections", "type"],
  MadeEditRow: ["start", "end", "correction", "gold", "type"],
  ChangeRow: ["start", "end", "correction"],
  OutputRow: ["text", "edits", "changes"],
};
