"""Sentence scores while a model trains, and adapters to the libraries that ask for them.

These libraries (TRL, Hugging Face `evaluate`, torchmetrics) are not needed and not imported.
"""

from __future__ import annotations

from corrigenda.rewards.accumulator import Accumulator
from corrigenda.rewards.evaluation_module import EvaluationModule
from corrigenda.rewards.scores import Reward, reward
from corrigenda.rewards.trl import TrlReward, trl_reward

__all__ = ["Accumulator", "EvaluationModule", "Reward", "TrlReward", "reward", "trl_reward"]
