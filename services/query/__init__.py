"""The answer. Read ``pipeline.py`` first; its docstring says which module is which stage.

    intent, corpus, source             what a question wants; what it reads
    retrieve, landmarks, features      candidates and their raw facts
    rank, dense                        one score for everything, with its parts; vectors at question time
    grading, relevance, refusal        whether anything bears on the question, and what is said if nothing does
    symbols, expand                    from chunks to symbols, and along the calls
    compose, excerpt, within           what fits the budget, and which lines of it
    present, why                       the list for people, and the reason for each place
    flow                               the events of a context, in the order in which they happen
    telling/                           from there to text, outline and diagram
    confidence, gaps                   how sure an answer may sound, and what it cannot know
    baseline                           the plain-text search that evaluations compare with

Stages are functions of values; what they read of an index comes through ``Corpus`` and ``IndexedText``.
"""
