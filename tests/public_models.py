"""What plain models of scikit-learn state about the data sets that come with it.

Every probability is cross-validated over five folds, as `predict_proba` gives it.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from sklearn.datasets import (
    load_breast_cancer,
    load_digits,
    load_iris,
    load_wine,
    make_classification,
)
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

MODELS = {
    "bayes": GaussianNB,
    "forest": lambda: RandomForestClassifier(20, random_state=0),
    "logistic": lambda: make_pipeline(StandardScaler(), LogisticRegression()),
    "tree": lambda: DecisionTreeClassifier(random_state=0),
}
BINARY = ("breast cancer", "digits: 8", "wine: 1", "iris: 2", "made: far apart", "made: rare")
SEVERAL = ("wine", "iris")


def data(name: str) -> tuple[Any, Any]:
    """Features and labels; after a colon, one class against the others."""
    if name == "made: far apart":
        return make_classification(300, class_sep=8, random_state=0)
    if name == "made: rare":
        return make_classification(300, weights=[0.97], flip_y=0, random_state=0)
    name, _, positive = name.partition(": ")
    loaders = {
        "breast cancer": load_breast_cancer,
        "digits": load_digits,
        "wine": load_wine,
        "iris": load_iris,
    }
    features, label = loaders[name](return_X_y=True)
    return features, (label == int(positive)).astype(int) if positive else label


@cache
def stated(model: str, name: str) -> tuple[Any, Any]:
    """Labels, and the probabilities that a model states for them, (rows, classes)."""
    features, label = data(name)
    found = cross_val_predict(MODELS[model](), features, label, cv=5, method="predict_proba")
    return label, np.asarray(found)
