"""What the papers print: the tables that `corrigenda reproduce` computes again."""

from __future__ import annotations

# Koyama et al. (2024), n-gram F-score for Evaluating Grammatical Error Correction, INLG.
# Columns: corpus level, then sentence level; each has CoNLL, SEEDA-S, SEEDA-E; each has r and ρ.
GREEN_TABLE_2 = {
    "M²": (
        0.623, 0.687, 0.616, 0.517, 0.736, 0.776,
        0.872, 0.731, 0.797, 0.762, 0.869, 0.951,
    ),
    "ERRANT": (
        0.644, 0.687, 0.529, 0.364, 0.690, 0.699,
        0.871, 0.775, 0.764, 0.727, 0.855, 0.930,
    ),
    "PT-M²": (
        0.686, 0.786, 0.737, 0.720, 0.798, 0.916,
        0.934, 0.890, 0.831, 0.804, 0.878, 0.930,
    ),
    "CLEME": (
        0.648, 0.709, 0.573, 0.427, 0.702, 0.727,
        0.877, 0.824, 0.818, 0.804, 0.872, 0.930,
    ),
    "wordGLEU": (
        0.696, 0.445, 0.870, 0.811, 0.891, 0.895,
        0.779, 0.720, 0.926, 0.923, 0.915, 0.916,
    ),
    "charGLEU": (
        0.606, 0.593, 0.807, 0.706, 0.843, 0.867,
        0.655, 0.665, 0.880, 0.853, 0.905, 0.937,
    ),
    "wordGREEN": (
        0.741, 0.698, 0.920, 0.909, 0.911, 0.930,
        0.835, 0.731, 0.922, 0.902, 0.920, 0.937,
    ),
    "charGREEN": (
        0.786, 0.813, 0.913, 0.881, 0.911, 0.909,
        0.834, 0.852, 0.928, 0.881, 0.930, 0.916,
    ),
}  # fmt: skip

# Seconds for AMU, and for AMU-S, which has one sentence that is a worst case for M². None is more
# than an hour.
GREEN_TABLE_3: dict[str, tuple[float, float | None]] = {
    "M²": (4.34, 196.60),
    "ERRANT": (12.35, 14.34),
    "PT-M²": (109.82, None),
    "CLEME": (10.15, 12.10),
    "wordGLEU": (2.69, 2.80),
    "wordGREEN": (0.55, 0.56),
}

# Scores × 100 of AMU, INPUT, IPN, NULL.
GREEN_TABLE_4_SYSTEMS = ("AMU", "INPUT", "IPN", "NULL")
GREEN_TABLE_4 = {
    "M²": (35.01, 0.00, 7.09, 28.01),
    "ERRANT": (31.97, 0.00, 5.95, 0.20),
    "PT-M²": (35.94, 0.00, 5.72, 2.44),
    "CLEME": (25.14, 0.00, 4.41, 33.44),
    "wordGLEU": (58.08, 56.34, 55.08, 0.00),
    "charGLEU": (81.68, 81.75, 81.06, 0.00),
    "wordGREEN": (79.26, 76.93, 76.31, 43.46),
    "charGREEN": (91.48, 91.00, 90.74, 31.28),
}
GREEN_TABLE_4_HUMAN = (0.628, 0.456, 0.300)

# Napoles et al. (2015), Ground Truth for Grammatical Error Correction Metrics, ACL.
# The systems, best first.
GLEU_TABLE_2 = {
    "Human": "CAMB AMU RAC CUUI INPUT POST UFC SJTU IITB PKU UMC NTHU IPN",
    "BLEU": "UFC INPUT IITB SJTU UMC CUUI PKU AMU IPN NTHU CAMB RAC POST",
    "I-measure": "UFC INPUT IITB SJTU CUUI PKU AMU UMC IPN POST RAC CAMB NTHU",
    "M²": "CUUI CAMB AMU POST UMC NTHU PKU RAC SJTU UFC IPN IITB INPUT",
    "GLEU 0": "CUUI AMU UFC CAMB INPUT IITB SJTU PKU UMC NTHU POST RAC IPN",
    "GLEU 0.1": "CUUI AMU CAMB UFC IITB SJTU PKU UMC NTHU POST RAC IPN INPUT",
}
GLEU_TABLE_3 = {
    "GLEU 0": (0.542, 0.555),
    "M²": (0.358, 0.429),
    "GLEU 0.1": (0.200, 0.412),
    "I-measure": (-0.051, -0.005),
    "BLEU": (-0.125, -0.225),
}

# Felice & Briscoe (2015), Towards a standard evaluation method, NAACL. On 711 sentences.
IMEASURE_TABLE_10 = {
    "CUUI": (47.66, 33.87, 44.07), "AMU": (44.68, 29.44, 40.48), "CAMB": (39.22, 41.65, 39.69),
    "POST": (36.39, 29.13, 34.67), "NTHU": (33.56, 28.10, 32.31), "UMC": (34.86, 20.86, 30.73),
    "RAC": (33.67, 19.08, 29.21), "PKU": (32.17, 19.60, 28.51), "SJTU": (28.00, 7.08, 17.60),
    "UFC": (73.08, 3.26, 13.83), "IPN": (9.16, 3.87, 7.20), "IITB": (30.30, 1.74, 7.07),
    "INPUT": (100.00, 0.00, 0.00),
}  # fmt: skip
IMEASURE_TABLE_10_MIXED = {
    "CUUI": (47.57, 39.60, 45.73), "AMU": (44.56, 33.49, 41.80), "CAMB": (39.04, 48.72, 40.66),
    "POST": (36.39, 33.79, 35.84), "NTHU": (33.62, 31.52, 33.18), "UMC": (34.86, 23.31, 31.71),
    "RAC": (33.67, 21.59, 30.28), "PKU": (32.42, 21.63, 29.48), "SJTU": (28.00, 7.46, 18.06),
    "UFC": (73.08, 3.39, 14.31), "IPN": (9.16, 4.09, 7.34), "IITB": (30.30, 1.81, 7.31),
    "INPUT": (100.00, 0.00, 0.00),
}  # fmt: skip
# P, R, F0.5, Acc, WAcc, WAcc of the source, I.
IMEASURE_TABLE_11 = {
    "UFC": (73.08, 2.78, 12.06, 95.13, 95.09, 95.03, 1.35),
    "INPUT": (100.00, 0.00, 0.00, 95.11, 95.11, 95.11, 0.00),
    "IITB": (29.73, 1.62, 6.65, 94.98, 94.82, 95.06, -0.25),
    "SJTU": (32.14, 7.68, 19.64, 94.51, 93.79, 94.89, -1.16),
    "CUUI": (46.25, 34.40, 43.27, 93.82, 91.86, 93.91, -2.18),
    "PKU": (31.14, 17.00, 26.70, 93.89, 92.28, 94.53, -2.38),
    "AMU": (40.48, 28.26, 37.26, 93.94, 92.06, 94.39, -2.47),
    "UMC": (36.31, 22.89, 32.50, 93.56, 91.67, 94.35, -2.84),
    "IPN": (9.06, 3.55, 6.91, 93.53, 92.00, 94.88, -3.04),
    "POST": (33.72, 28.70, 32.58, 92.88, 90.23, 94.17, -4.18),
    "RAC": (25.65, 19.09, 24.00, 92.79, 90.28, 94.45, -4.41),
    "CAMB": (37.59, 43.47, 38.63, 92.31, 88.77, 93.59, -5.15),
    "NTHU": (27.34, 25.42, 26.93, 92.48, 89.44, 94.44, -5.29),
}

# Gong et al. (2022), Revisiting Grammatical Error Correction Evaluation and Beyond, EMNLP.
# Columns: corpus EW r ρ, corpus TS r ρ, sentence EW r ρ, sentence TS r ρ.
PTM2_TABLE_5: dict[str, tuple[float | None, ...]] = {
    "GLEU": (0.701, 0.467, 0.750, 0.555, 0.784, 0.720, 0.828, 0.775),
    "ERRANT": (0.642, 0.659, 0.688, 0.698, 0.870, 0.742, 0.846, 0.747),
    "M²": (0.623, 0.687, 0.672, 0.720, 0.871, 0.731, 0.864, 0.758),
    "BARTScore": (None, None, None, None, 0.172, 0.253, 0.173, 0.269),
    "BERTScore": (None, None, None, None, 0.262, 0.074, 0.166, -0.022),
    "PT-ERRANT (BART)": (0.681, 0.797, 0.727, 0.841, 0.905, 0.786, 0.897, 0.824),
    "PT-ERRANT (BERT)": (0.705, 0.780, 0.745, 0.797, 0.941, 0.879, 0.917, 0.846),
    "PT-M² (BART)": (0.667, 0.775, 0.715, 0.813, 0.898, 0.813, 0.901, 0.841),
    "PT-M² (BERT)": (0.693, 0.758, 0.737, 0.769, 0.949, 0.907, 0.938, 0.874),
}
PTM2_TABLE_6 = {
    "BERTScore": "INPUT UFC IITB RAC SJTU PKU AMU POST CUUI UMC IPN CAMB NTHU",
    "M²": "CAMB CUUI AMU POST NTHU RAC UMC PKU SJTU UFC IPN IITB INPUT",
    "SentM²": "CUUI AMU CAMB POST NTHU RAC PKU UMC SJTU UFC IITB INPUT IPN",
    "PT-M²": "AMU CUUI CAMB RAC POST PKU UFC SJTU IITB NTHU INPUT UMC IPN",
    "EW": "AMU RAC CAMB CUUI POST UFC PKU UMC IITB SJTU INPUT NTHU IPN",
    "TS": "AMU CAMB RAC CUUI POST PKU UMC UFC IITB INPUT SJTU NTHU IPN",
}
PTM2_TABLE_6_DIFFERENCES = {"BERTScore": 53, "M²": 27, "SentM²": 21, "PT-M²": 12}
