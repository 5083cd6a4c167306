"""Whether intervals cover what they say, and tests reject as often as they say."""
