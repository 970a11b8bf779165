"""Scores of single sentences while a model trains, and adapters to the libraries that ask for them.

None of those libraries is needed, nor imported.
"""

from __future__ import annotations

from corrigenda.rewards.accumulator import Accumulator
from corrigenda.rewards.evaluation_module import EvaluationModule
from corrigenda.rewards.scores import Reward, reward
from corrigenda.rewards.trl import TrlReward, trl_reward

__all__ = ["Accumulator", "EvaluationModule", "Reward", "TrlReward", "reward", "trl_reward"]
