"""winnow in the pipelines people run, a small module for each:

    datatrove        WinnowExtractor, WinnowWarcReader
    nemo_curator     WinnowExtractor
    dolma            the linearizer "winnow"
    scrapy           WinnowPipeline, page_of()
    langchain        WinnowBlobParser, WinnowTransformer
    llama_index      WinnowReader
    batches          ExtractBatch for Hugging Face datasets, Ray Data, Arrow and pandas
    polars           extract(), an expression
    duckdb           register(), a function in SQL
    cc_pyspark       CCWinnowSparkJob, ExtractTextJob

Each imports the package it is for, and none is imported by winnow itself. docs/python.md has examples.
"""
