"""Collecting human judgments: campaigns, the pages of judges and organisers, and exports."""
