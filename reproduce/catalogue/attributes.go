package catalogue

import "github.com/kindred-go/kindred/reproduce/frame"

const (
	plain = "the features as they are, then the class"
	once  = "of rows with equal features the first alone"
)

// attributes are sets as they are published.
func attributes() map[string]frame.Need {
	pima := set("Pima", "pima.csv", 768, 8, 2,
		"OpenML, https://www.openml.org/d/37 (diabetes); "+plain)
	iris := set("Iris", "iris.csv", 150, 4, 3, uci(53, "Iris", plain))
	iris.Sample, iris.Differs = "iris",
		"has rows 35 and 38 as Fisher published them, not as UCI has them"
	wine := set("Wine", "wine.csv", 178, 13, 3, uci(109, "Wine", "the class last"))
	wine.Sample = "wine"
	digits := set("Optdigits", "optdigits_test.csv", 1797, 64, 10,
		uci(80, "Optical Recognition of Handwritten Digits", "the file optdigits.tes; "+plain))
	digits.Sample = "digits"
	return map[string]frame.Need{
		"iris": iris,
		"wine": wine,
		"glass": set("Glass", "glass.csv", 214, 9, 6,
			uci(42, "Glass Identification", "without the id; "+plain)),
		"ionosphere": set("Ionosphere", "ionosphere.csv", 351, 34, 2,
			uci(52, "Ionosphere", plain)),
		"optdigits_train": set("Optdigits (training)", "optdigits_train.csv", 3823, 64, 10,
			uci(80, "Optical Recognition of Handwritten Digits", "the file optdigits.tra; "+plain)),
		"optdigits_test": digits,
		"ecoli": set("Ecoli", "ecoli.csv", 336, 7, 8,
			uci(39, "Ecoli", "without the sequence name; "+plain)),
		"column_2C": set("Column 2C", "column_2C.csv", 310, 6, 2,
			uci(212, "Vertebral Column", "the file column_2C.dat; "+plain)),
		"column_3C": set("Column 3C", "column_3C.csv", 310, 6, 3,
			uci(212, "Vertebral Column", "the file column_3C.dat; "+plain)),
		"segmentation": set("Segmentation", "segmentation.csv", 2310, 19, 7,
			uci(50, "Image Segmentation",
				"the files segmentation.data and segmentation.test; the class last")),
		"parkinsons": set("Parkinsons", "parkinsons.csv", 195, 22, 2,
			uci(174, "Parkinsons", "without the name; status is the class, last")),
		"sonar": set("Sonar", "sonar.csv", 208, 60, 2,
			uci(151, "Connectionist Bench (Sonar, Mines vs. Rocks)", plain)),
		"yeast": set("Yeast", "yeast.csv", 1484, 8, 10,
			uci(110, "Yeast", "without the sequence name; "+plain)),
		"spambase": set("Spambase", "spambase.csv", 4601, 57, 2, uci(94, "Spambase", plain)),
		"pendigits_train": set("Pendigits (training)", "pendigits_train.csv", 7494, 16, 10,
			uci(81, "Pen-Based Recognition of Handwritten Digits",
				"the file pendigits.tra; "+plain)),
		"pendigits_test": set("Pendigits (test)", "pendigits_test.csv", 3498, 16, 10,
			uci(81, "Pen-Based Recognition of Handwritten Digits",
				"the file pendigits.tes; "+plain)),
		"pendigits": set("Pendigits", "pendigits.csv", 10992, 16, 10,
			uci(81, "Pen-Based Recognition of Handwritten Digits",
				"the training file, then the test file; "+plain)),
		"letter": set("Letters", "letter.csv", 20000, 16, 26,
			uci(59, "Letter Recognition", "the class last")),
		"pima": pima,
		"news20_w100": set("20 Newsgroups, 100 words", "news20_w100.csv.gz", 16242, 100, 4,
			"S. Roweis, https://cs.nyu.edu/~roweis/data.html (20news_w100.mat); a row a "+
				"document, a column a word (1: it occurs), the class is the group of newsgroups "+
				"(comp, rec, sci or talk)"),
	}
}

// derived are sets that a paper, or its numbers, make of published ones.
func derived() map[string]frame.Need {
	breast := uci(15, "Breast Cancer Wisconsin (Original)",
		"without the id and without the 16 rows that have a missing value")
	letters := set("Letters", "letterIJL.csv", 2263, 16, 3,
		uci(59, "Letter Recognition", "letters I, J and L, the class last"))
	cancer := set("Breast Cancer", "breast_cancer_wisconsin_683.csv", 683, 9, 2, breast)
	kdd := set("KDD'99", "kddcup99_10pct_ge1000.csv.gz", 492368, 34, 8,
		uci(130, "KDD Cup 1999",
			"the 10 % file without classes of fewer than 1000 rows and without the seven "+
				"symbolic features"))
	const lsi = "20 Newsgroups, http://qwone.com/~jason/20Newsgroups (20news-bydate, training " +
		"and test); "
	news := func(title, file string, rows int, groups, text string) frame.Need {
		return set(title, file, rows, 10, 3,
			lsi+groups+"; "+text+
				"; tf-idf without English stop words and words of one document or of more than "+
				"half of them, "+
				"rows of length 1, and the first 10 components of a truncated singular value "+
				"decomposition")
	}
	const (
		similar   = "comp.graphics, comp.os.ms-windows.misc and comp.windows.x"
		different = "alt.atheism, rec.sport.baseball and sci.space"
		whole     = "texts with their headers"
		stripped  = "texts without headers, footers and quotes"
	)
	return map[string]frame.Need{
		"iris_dedup": set("Iris", "iris_dedup.csv", 147, 4, 3, uci(53, "Iris", once)),
		"dermatology_complete": set("Dermatology", "dermatology_complete.csv", 358, 34, 6,
			uci(33, "Dermatology", "without the 8 rows that have no age")),
		"hepatitis_112": set("Hepatitis", "hepatitis_112.csv", 112, 18, 2,
			uci(46, "Hepatitis",
				"without PROTIME, and then without the rows that have a missing value; the class "+
					"last")),
		"glass_dedup": set("Glass", "glass_dedup.csv", 213, 9, 6,
			uci(42, "Glass Identification", "without the id; "+once)),
		"ionosphere_dedup": set("Ionosphere", "ionosphere_dedup.csv", 350, 34, 2,
			uci(52, "Ionosphere", once)),
		"optdigits389": set("Optdigits389", "optdigits389.csv", 1151, 64, 3,
			uci(80, "Optical Recognition of Handwritten Digits",
				"digits 3, 8 and 9 of the file optdigits.tra")),
		"ecoli3": set("Ecoli", "ecoli3.csv", 272, 7, 3,
			uci(39, "Ecoli", "classes cp, im and pp, without the sequence name")),
		"breast-cancer":               cancer,
		"breast_cancer_wisconsin_683": cancer,
		"breast_cancer_wisconsin_dedup": set("Breast Cancer", "breast_cancer_wisconsin_dedup.csv",
			449, 9, 2,
			breast+"; "+once),
		"spambase_dedup": set("Spambase", "spambase_dedup.csv", 4207, 57, 2,
			uci(94, "Spambase", once)),
		"pendigits389": set("Pendigits", "pendigits389.csv", 3165, 16, 3,
			uci(81, "Pen-Based Recognition of Handwritten Digits",
				"digits 3, 8 and 9 of the training and the test file")),
		"letters":   letters,
		"letterIJL": letters,
		"letterIJL_227": set("Letters", "letterIJL_227.csv", 227, 16, 3,
			uci(59, "Letter Recognition",
				"a random tenth of each of the letters I, J and L: 76, 75 and 76 rows, as the "+
					"paper has; its draw is not known")),
		"kdd99": kdd, "kddcup99_10pct_ge1000": kdd,
		"news20_w100_1136": set("20 Newsgroups", "news20_w100_1136.csv", 1136, 100, 4,
			"S. Roweis, https://cs.nyu.edu/~roweis/data.html (20news_w100.mat); a random 7 % of "+
				"each of comp, rec, sci and talk: 322, 246, 186 and 382 rows; the paper's draw "+
				"is not known"),
		"news_similar3_lsi10": news("News similar", "news_similar3_lsi10.csv", 2946,
			similar, whole),
		"news_similar3_lsi10_stripped": news("News similar, texts alone",
			"news_similar3_lsi10_stripped.csv", 2946, similar, stripped),
		"news_different3_lsi10": news("News different", "news_different3_lsi10.csv", 2780,
			different, whole),
		"news_different3_lsi10_stripped": news("News different, texts alone",
			"news_different3_lsi10_stripped.csv", 2780, different, stripped),
	}
}
